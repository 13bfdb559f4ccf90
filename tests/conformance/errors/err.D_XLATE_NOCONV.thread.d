BEGIN { trace(curlwpsinfo->pr_cpu); }
