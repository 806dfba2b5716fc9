-- DropIndex
DROP INDEX "svc_mail_search_words_idx";

-- AlterTable
ALTER TABLE "svc_mail_search" DROP COLUMN "week";

-- Mailbox and days are words of the index too (schema/mail/messages/index-keys.ts): ids of mailboxes are those of one
-- workspace, so that a column of them would lead to the messages of all workspaces.
UPDATE "svc_mail_search" SET "words" = "words" || array_to_tsvector(ARRAY[
  '#' || "workspace_id" || '.' || "account_id",
  '#' || "workspace_id" || '.' || "account_id" || '.d' || ("date"::date - date '1970-01-01'),
  '#' || "workspace_id" || '.' || "account_id" || '.s' || floor(("date"::date - date '1970-01-01') / 8.0)::int
]);

-- Without a pending list: one that grows full stops an insert for a third of a second. Any search implies its condition,
-- by which Prisma knows that the index is not its own.
CREATE INDEX "svc_mail_search_words_idx" ON "svc_mail_search" USING gin ("words") WITH (fastupdate = off) WHERE "words" IS NOT NULL;

-- CreateIndex
CREATE INDEX "svc_mail_bucket_workspace_id_account_id_day_idx" ON "svc_mail_bucket"("workspace_id", "account_id", "day" DESC);
