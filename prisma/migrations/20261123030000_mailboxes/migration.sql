-- CreateTable
CREATE TABLE "svc_mail_account" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'personal',
    "owner_id" INTEGER,
    "company_id" INTEGER,
    "signature" TEXT NOT NULL DEFAULT '',
    "quota" BIGINT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_account_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_clock" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "modseq" BIGINT NOT NULL DEFAULT 0,
    "used_bytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "svc_mail_clock_pkey" PRIMARY KEY ("workspace_id","account_id")
);

-- CreateTable
CREATE TABLE "svc_mail_member" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "role" TEXT NOT NULL DEFAULT 'member',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_member_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_address" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "address" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'main',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_address_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_folder" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "role" TEXT,
    "name" TEXT NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "total" INTEGER NOT NULL DEFAULT 0,
    "unread" INTEGER NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_folder_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_bucket" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "day" INTEGER NOT NULL,
    "n" INTEGER NOT NULL,

    CONSTRAINT "svc_mail_bucket_pkey" PRIMARY KEY ("workspace_id","account_id","folder_id","day")
);

-- CreateTable
CREATE TABLE "svc_mail_message" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "raw_hash" TEXT NOT NULL,
    "raw_whole" BOOLEAN NOT NULL DEFAULT true,
    "size" INTEGER NOT NULL,
    "subject" TEXT NOT NULL DEFAULT '',
    "from_name" TEXT NOT NULL DEFAULT '',
    "email_from" TEXT NOT NULL DEFAULT '',
    "recipients" JSONB NOT NULL DEFAULT '{}',
    "date_header" TIMESTAMP(3),
    "message_id" TEXT,
    "in_reply_to" TEXT,
    "references" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "list_id" TEXT,
    "snippet" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL DEFAULT '',
    "has_html" BOOLEAN NOT NULL DEFAULT false,
    "attachment_count" INTEGER NOT NULL DEFAULT 0,
    "is_automatic" BOOLEAN NOT NULL DEFAULT false,
    "verdicts" JSONB,
    "state" TEXT NOT NULL DEFAULT 'parsed',
    "parser" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_message_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_part" (
    "workspace_id" INTEGER NOT NULL,
    "content_id" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "charset" TEXT,
    "cid" TEXT,
    "role" TEXT NOT NULL,
    "encoding" TEXT NOT NULL,
    "body_from" INTEGER NOT NULL,
    "body_to" INTEGER NOT NULL,
    "size" INTEGER NOT NULL,

    CONSTRAINT "svc_mail_part_pkey" PRIMARY KEY ("workspace_id","content_id","number")
);

-- CreateTable
CREATE TABLE "svc_mail_entry" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "content_id" BIGINT NOT NULL,
    "folder_id" INTEGER NOT NULL,
    "was_folder_id" INTEGER,
    "thread_id" BIGINT NOT NULL,
    "date" TIMESTAMP(3) NOT NULL,
    "message_key" BYTEA NOT NULL,
    "is_read" BOOLEAN NOT NULL DEFAULT false,
    "is_starred" BOOLEAN NOT NULL DEFAULT false,
    "is_answered" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT NOT NULL,
    "envelope" JSONB,
    "email_id" BIGINT,
    "modseq" BIGINT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_entry_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_label" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "color" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_label_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_entry_label" (
    "workspace_id" INTEGER NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "label_id" INTEGER NOT NULL,
    "date" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_mail_entry_label_pkey" PRIMARY KEY ("workspace_id","entry_id","label_id")
);

-- CreateTable
CREATE TABLE "svc_mail_thread_ref" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "ref" BYTEA NOT NULL,
    "subject" BYTEA NOT NULL,
    "thread_id" BIGINT NOT NULL,

    CONSTRAINT "svc_mail_thread_ref_pkey" PRIMARY KEY ("workspace_id","account_id","ref","subject")
);

-- CreateTable
CREATE TABLE "svc_mail_search" (
    "workspace_id" INTEGER NOT NULL,
    "entry_id" BIGINT NOT NULL,
    "account_id" BIGINT NOT NULL,
    "week" INTEGER NOT NULL,
    "date" TIMESTAMP(3) NOT NULL,
    "words" tsvector NOT NULL,

    CONSTRAINT "svc_mail_search_pkey" PRIMARY KEY ("workspace_id","entry_id")
);

-- CreateTable
CREATE TABLE "svc_mail_change" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "modseq" BIGINT NOT NULL,
    "kind" TEXT NOT NULL,
    "created" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "updated" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "destroyed" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "folders" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "threads" BIGINT[] DEFAULT ARRAY[]::BIGINT[],
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_change_pkey" PRIMARY KEY ("workspace_id","account_id","modseq")
);

-- CreateTable
CREATE TABLE "svc_mail_draft" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "to" TEXT NOT NULL DEFAULT '',
    "cc" TEXT NOT NULL DEFAULT '',
    "bcc" TEXT NOT NULL DEFAULT '',
    "subject" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL DEFAULT 'new',
    "in_reply_to" BIGINT,
    "from_account_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_draft_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_staged" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "mimetype" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_staged_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_rule" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "name" TEXT NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT true,
    "match_type" TEXT NOT NULL DEFAULT 'all',
    "conditions" JSONB NOT NULL DEFAULT '[]',
    "actions" JSONB NOT NULL DEFAULT '[]',
    "by_admin" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_rule_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_block" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,

    CONSTRAINT "svc_mail_block_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_autoreply" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "is_active" BOOLEAN NOT NULL DEFAULT false,
    "subject" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL DEFAULT '',
    "date_from" DATE,
    "date_until" DATE,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_autoreply_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_autoreply_sent" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "sender" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "week" INTEGER NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_autoreply_sent_pkey" PRIMARY KEY ("workspace_id","account_id","sender","revision","week")
);

-- CreateTable
CREATE TABLE "svc_mail_send_log" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email_id" BIGINT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "recipients" INTEGER NOT NULL,

    CONSTRAINT "svc_mail_send_log_pkey" PRIMARY KEY ("workspace_id","account_id","email_id")
);

-- CreateTable
CREATE TABLE "svc_mail_correspondent" (
    "workspace_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL DEFAULT '',
    "uses" INTEGER NOT NULL DEFAULT 0,
    "last_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_correspondent_pkey" PRIMARY KEY ("workspace_id","account_id","email")
);

-- CreateTable
CREATE TABLE "svc_mail_feature" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "company_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "is_on" BOOLEAN NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_mail_feature_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_policy" (
    "workspace_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "svc_mail_policy_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "svc_mail_reserved" (
    "workspace_id" INTEGER NOT NULL,
    "local" TEXT NOT NULL,

    CONSTRAINT "svc_mail_reserved_pkey" PRIMARY KEY ("workspace_id","local")
);

-- CreateTable
CREATE TABLE "svc_mail_prefs" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "values" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "svc_mail_prefs_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "svc_mail_intake" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "raw_hash" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "envelope_from" TEXT NOT NULL DEFAULT '',
    "client" JSONB,
    "verdicts" JSONB,
    "received_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_intake_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_delivery" (
    "workspace_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "intake_id" BIGINT NOT NULL,
    "account_id" INTEGER NOT NULL,
    "recipients" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "state" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3) DEFAULT CURRENT_TIMESTAMP,
    "lease" TEXT,
    "error" TEXT,
    "entry_id" BIGINT,

    CONSTRAINT "svc_mail_delivery_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "svc_mail_account_workspace_id_owner_id_idx" ON "svc_mail_account"("workspace_id", "owner_id");

-- CreateIndex
CREATE INDEX "svc_mail_member_workspace_id_user_id_idx" ON "svc_mail_member"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_member_workspace_id_account_id_user_id_key" ON "svc_mail_member"("workspace_id", "account_id", "user_id");

-- CreateIndex
CREATE INDEX "svc_mail_address_workspace_id_account_id_idx" ON "svc_mail_address"("workspace_id", "account_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_address_workspace_id_address_key" ON "svc_mail_address"("workspace_id", "address");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_folder_workspace_id_account_id_role_key" ON "svc_mail_folder"("workspace_id", "account_id", "role");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_folder_workspace_id_account_id_name_key" ON "svc_mail_folder"("workspace_id", "account_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_message_workspace_id_raw_hash_key" ON "svc_mail_message"("workspace_id", "raw_hash");

-- CreateIndex
CREATE INDEX "svc_mail_entry_workspace_id_folder_id_date_id_idx" ON "svc_mail_entry"("workspace_id", "folder_id", "date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "svc_mail_entry_workspace_id_account_id_date_id_idx" ON "svc_mail_entry"("workspace_id", "account_id", "date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "svc_mail_entry_workspace_id_account_id_thread_id_date_idx" ON "svc_mail_entry"("workspace_id", "account_id", "thread_id", "date");

-- CreateIndex
CREATE INDEX "svc_mail_entry_workspace_id_account_id_message_key_idx" ON "svc_mail_entry"("workspace_id", "account_id", "message_key");

-- CreateIndex
CREATE INDEX "svc_mail_entry_workspace_id_content_id_idx" ON "svc_mail_entry"("workspace_id", "content_id");

-- CreateIndex
CREATE INDEX "svc_mail_entry_workspace_id_email_id_idx" ON "svc_mail_entry"("workspace_id", "email_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_label_workspace_id_account_id_name_key" ON "svc_mail_label"("workspace_id", "account_id", "name");

-- CreateIndex
CREATE INDEX "svc_mail_entry_label_workspace_id_label_id_date_entry_id_idx" ON "svc_mail_entry_label"("workspace_id", "label_id", "date" DESC, "entry_id" DESC);

-- CreateIndex
CREATE INDEX "svc_mail_thread_ref_workspace_id_account_id_thread_id_idx" ON "svc_mail_thread_ref"("workspace_id", "account_id", "thread_id");

-- CreateIndex
CREATE INDEX "svc_mail_change_at_idx" ON "svc_mail_change"("at");

-- CreateIndex
CREATE INDEX "svc_mail_draft_workspace_id_account_id_user_id_write_date_idx" ON "svc_mail_draft"("workspace_id", "account_id", "user_id", "write_date");

-- CreateIndex
CREATE INDEX "svc_mail_staged_workspace_id_user_id_idx" ON "svc_mail_staged"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "svc_mail_staged_workspace_id_hash_idx" ON "svc_mail_staged"("workspace_id", "hash");

-- CreateIndex
CREATE INDEX "svc_mail_staged_create_date_idx" ON "svc_mail_staged"("create_date");

-- CreateIndex
CREATE INDEX "svc_mail_rule_workspace_id_account_id_sequence_idx" ON "svc_mail_rule"("workspace_id", "account_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_block_workspace_id_account_id_email_key" ON "svc_mail_block"("workspace_id", "account_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_autoreply_workspace_id_account_id_key" ON "svc_mail_autoreply"("workspace_id", "account_id");

-- CreateIndex
CREATE INDEX "svc_mail_autoreply_sent_at_idx" ON "svc_mail_autoreply_sent"("at");

-- CreateIndex
CREATE INDEX "svc_mail_send_log_workspace_id_account_id_at_idx" ON "svc_mail_send_log"("workspace_id", "account_id", "at");

-- CreateIndex
CREATE INDEX "svc_mail_send_log_at_idx" ON "svc_mail_send_log"("at");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_feature_workspace_id_company_id_key_key" ON "svc_mail_feature"("workspace_id", "company_id", "key");

-- CreateIndex
CREATE INDEX "svc_mail_intake_workspace_id_raw_hash_idx" ON "svc_mail_intake"("workspace_id", "raw_hash");

-- CreateIndex
CREATE INDEX "svc_mail_intake_received_at_idx" ON "svc_mail_intake"("received_at");

-- CreateIndex
CREATE INDEX "svc_mail_delivery_workspace_id_next_at_idx" ON "svc_mail_delivery"("workspace_id", "next_at");

-- CreateIndex
CREATE UNIQUE INDEX "svc_mail_delivery_workspace_id_intake_id_account_id_key" ON "svc_mail_delivery"("workspace_id", "intake_id", "account_id");

-- AddForeignKey
ALTER TABLE "svc_mail_account" ADD CONSTRAINT "svc_mail_account_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_account" ADD CONSTRAINT "svc_mail_account_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_clock" ADD CONSTRAINT "svc_mail_clock_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_member" ADD CONSTRAINT "svc_mail_member_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_member" ADD CONSTRAINT "svc_mail_member_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_address" ADD CONSTRAINT "svc_mail_address_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_folder" ADD CONSTRAINT "svc_mail_folder_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_part" ADD CONSTRAINT "svc_mail_part_workspace_id_content_id_fkey" FOREIGN KEY ("workspace_id", "content_id") REFERENCES "svc_mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_entry" ADD CONSTRAINT "svc_mail_entry_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_entry" ADD CONSTRAINT "svc_mail_entry_workspace_id_content_id_fkey" FOREIGN KEY ("workspace_id", "content_id") REFERENCES "svc_mail_message"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_entry" ADD CONSTRAINT "svc_mail_entry_workspace_id_folder_id_fkey" FOREIGN KEY ("workspace_id", "folder_id") REFERENCES "svc_mail_folder"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_label" ADD CONSTRAINT "svc_mail_label_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_entry_label" ADD CONSTRAINT "svc_mail_entry_label_workspace_id_entry_id_fkey" FOREIGN KEY ("workspace_id", "entry_id") REFERENCES "svc_mail_entry"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_entry_label" ADD CONSTRAINT "svc_mail_entry_label_workspace_id_label_id_fkey" FOREIGN KEY ("workspace_id", "label_id") REFERENCES "svc_mail_label"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_draft" ADD CONSTRAINT "svc_mail_draft_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_draft" ADD CONSTRAINT "svc_mail_draft_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_staged" ADD CONSTRAINT "svc_mail_staged_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_staged" ADD CONSTRAINT "svc_mail_staged_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_rule" ADD CONSTRAINT "svc_mail_rule_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_block" ADD CONSTRAINT "svc_mail_block_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_autoreply" ADD CONSTRAINT "svc_mail_autoreply_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_feature" ADD CONSTRAINT "svc_mail_feature_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_policy" ADD CONSTRAINT "svc_mail_policy_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_reserved" ADD CONSTRAINT "svc_mail_reserved_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_prefs" ADD CONSTRAINT "svc_mail_prefs_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_delivery" ADD CONSTRAINT "svc_mail_delivery_workspace_id_intake_id_fkey" FOREIGN KEY ("workspace_id", "intake_id") REFERENCES "svc_mail_intake"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_mail_account" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_clock" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_member" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_address" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_folder" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_bucket" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_message" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_part" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_entry" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_label" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_entry_label" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_thread_ref" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_search" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_change" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_draft" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_staged" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_rule" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_block" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_autoreply" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_autoreply_sent" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_send_log" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_correspondent" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_feature" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_policy" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_reserved" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_prefs" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_intake" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_delivery" SET (autovacuum_analyze_scale_factor = 0.02);

-- What the Prisma schema cannot say.

CREATE EXTENSION IF NOT EXISTS btree_gin;

-- Without a pending list: one that grows full stops an insert for a third of a second. Any search implies its condition,
-- by which Prisma knows that the index is not its own.
CREATE INDEX "svc_mail_search_words_idx" ON "svc_mail_search"
USING gin ("account_id", "week", "words") WITH (fastupdate = off) WHERE "words" IS NOT NULL;

-- Lists of unread and of starred messages.
CREATE INDEX "svc_mail_entry_unread_idx" ON "svc_mail_entry" ("workspace_id", "folder_id", "date" DESC, "id" DESC)
WHERE NOT "is_read";
CREATE INDEX "svc_mail_entry_starred_idx" ON "svc_mail_entry" ("workspace_id", "account_id", "date" DESC, "id" DESC)
WHERE "is_starred";

-- Rows that change with each message have room beside them, so that indexes need not know of it.
ALTER TABLE "svc_mail_clock" SET (fillfactor = 50);
ALTER TABLE "svc_mail_folder" SET (fillfactor = 50);
ALTER TABLE "svc_mail_label" SET (fillfactor = 50);
ALTER TABLE "svc_mail_bucket" SET (fillfactor = 70);
ALTER TABLE "svc_mail_entry" SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.02);
