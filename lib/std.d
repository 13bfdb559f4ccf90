/*
 * Words of C that are no words of D.
 */

inline int true = 1;
inline int false = 0;
inline int TRUE = 1;
inline int FALSE = 0;
