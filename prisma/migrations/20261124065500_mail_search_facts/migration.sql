-- Size and attachments are words of the index too (schema/mail/messages/index-keys.ts): a search by them alone would read
-- the whole mailbox. A message has the key of how many of these sizes it is larger than.
UPDATE "svc_mail_search" s SET "words" = s."words" || array_to_tsvector(
  ARRAY['#z' || width_bucket(c."size" - 1, ARRAY[
    1024, 2048, 5120, 10240, 20480, 51200, 102400, 204800, 512000,
    1048576, 2097152, 5242880, 10485760, 20971520, 52428800])]
  || CASE WHEN c."attachment_count" > 0 THEN ARRAY['#a'] ELSE ARRAY[]::text[] END)
FROM "svc_mail_entry" e, "svc_mail_message" c
WHERE e."workspace_id" = s."workspace_id" AND e."id" = s."entry_id"
  AND c."workspace_id" = s."workspace_id" AND c."id" = e."content_id";

-- Searches for what is answered.
CREATE INDEX "svc_mail_entry_answered_idx" ON "svc_mail_entry" ("workspace_id", "account_id", "date" DESC, "id" DESC)
WHERE "is_answered";
