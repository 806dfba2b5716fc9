-- AlterTable
ALTER TABLE "mail_message" ADD COLUMN     "origin" TEXT;

-- What came and went before: a user wrote what has one.
UPDATE "mail_message"
SET "origin" = CASE WHEN "message_type" <> 'email' THEN 'sent' WHEN "message_id" IS NULL THEN 'page' ELSE 'mail' END
WHERE "model" = 'helpdesk.ticket' AND NOT "is_internal"
  AND ("message_type" IN ('email', 'auto_comment') AND "create_uid" IS NULL
    OR "message_type" = 'email_outgoing' AND "message_id" IS NOT NULL);
