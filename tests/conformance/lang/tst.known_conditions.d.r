                   FUNCTION:NAME
                          :BEGIN   a                                  b                                  c                                
                          :BEGIN   d                                  e                                  f                                  g                                  h                                
                          :BEGIN         2
                          :ERROR   fault                            
                          :ERROR   fault                            
                          :BEGIN         2

