-- Words of messages that come together go into the index together; a search reads the few pages that wait as they are.
ALTER INDEX "svc_mail_search_words_idx" SET (fastupdate = on, gin_pending_list_limit = 256);
