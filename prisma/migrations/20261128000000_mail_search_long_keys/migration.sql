-- Long windows of a search are found by fewer keys (schema/mail/messages/index-keys.ts).
-- What a process of an older version files meanwhile lacks the key until `mail reparse`.
-- The index is made anew, which takes less time than to keep it up.
DROP INDEX "svc_mail_search_words_idx";

UPDATE "svc_mail_search" SET "words" = "words" || array_to_tsvector(ARRAY[
  '#' || "workspace_id" || '.' || "account_id" || '.l' || floor(("date"::date - date '1970-01-01') / 64.0)::int
]);

CREATE INDEX "svc_mail_search_words_idx" ON "svc_mail_search" USING gin ("words")
WITH (fastupdate = on, gin_pending_list_limit = 256) WHERE "words" IS NOT NULL;
