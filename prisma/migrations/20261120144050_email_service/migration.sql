-- DropForeignKey
ALTER TABLE "svc_email" DROP CONSTRAINT "svc_email_workspace_id_domain_id_fkey";

-- AlterTable
ALTER TABLE "svc_api_key" ADD COLUMN     "domain_id" INTEGER;

-- AlterTable
ALTER TABLE "svc_domain" ADD COLUMN     "dkim_private" TEXT,
ADD COLUMN     "dns_seen" JSONB;

-- AlterTable
ALTER TABLE "svc_email" ADD COLUMN     "campaign_id" INTEGER,
ADD COLUMN     "contact_id" INTEGER,
ADD COLUMN     "metadata" JSONB,
ADD COLUMN     "tags" JSONB;

-- CreateTable
CREATE TABLE "svc_api_key_use" (
    "workspace_id" INTEGER NOT NULL,
    "key_id" INTEGER NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_api_key_use_pkey" PRIMARY KEY ("workspace_id","key_id")
);

-- CreateTable
CREATE TABLE "svc_contact_book" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "emoji" TEXT NOT NULL DEFAULT '📙',
    "properties" JSONB NOT NULL DEFAULT '{}',
    "variables" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "double_opt_in" BOOLEAN NOT NULL DEFAULT false,
    "double_opt_in_from" TEXT,
    "double_opt_in_subject" TEXT,
    "double_opt_in_content" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_contact_book_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_contact" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "book_id" INTEGER NOT NULL,
    "email" TEXT NOT NULL,
    "first_name" TEXT,
    "last_name" TEXT,
    "properties" JSONB NOT NULL DEFAULT '{}',
    "subscribed" BOOLEAN NOT NULL DEFAULT true,
    "unsubscribe_reason" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_contact_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_campaign" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "from" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "preview_text" TEXT,
    "book_id" INTEGER,
    "html" TEXT,
    "content" TEXT,
    "reply_to" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "status" TEXT NOT NULL DEFAULT 'DRAFT',
    "reason" TEXT,
    "scheduled_at" TIMESTAMP(3),
    "batch_size" INTEGER NOT NULL DEFAULT 500,
    "batch_window_minutes" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "hard_bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,
    "last_contact_id" INTEGER NOT NULL DEFAULT 0,
    "batch_left" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_campaign_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_template" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "content" TEXT,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "raw" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "version" INTEGER NOT NULL DEFAULT 1,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_template_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_template_version" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "template_id" INTEGER NOT NULL,
    "number" INTEGER NOT NULL,
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "content" TEXT,
    "variables" JSONB NOT NULL DEFAULT '{}',
    "raw" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_template_version_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_webhook" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "event_types" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "domain_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "status" TEXT NOT NULL DEFAULT 'ACTIVE',
    "secret" TEXT NOT NULL,
    "old_secret" TEXT,
    "old_until" TIMESTAMP(3),
    "failures" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMP(3),
    "last_failure_at" TIMESTAMP(3),
    "lease_by" TEXT,
    "lease_until" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "svc_webhook_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_webhook_call" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "webhook_id" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "email_id" INTEGER,
    "email_status" TEXT,
    "data" JSONB,
    "event_id" BIGINT,
    "payload" JSONB,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "run_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "response_status" INTEGER,
    "response_text" TEXT,
    "response_ms" INTEGER,
    "last_error" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_webhook_call_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_provider_event" (
    "id" BIGSERIAL NOT NULL,
    "message_id" TEXT NOT NULL,
    "workspace_id" INTEGER,
    "email_id" INTEGER,
    "topic" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "applied_at" TIMESTAMP(3),

    CONSTRAINT "svc_provider_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "svc_daily_usage" (
    "workspace_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "domain_id" INTEGER NOT NULL,
    "slot" INTEGER NOT NULL,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "opened" INTEGER NOT NULL DEFAULT 0,
    "clicked" INTEGER NOT NULL DEFAULT 0,
    "bounced" INTEGER NOT NULL DEFAULT 0,
    "hard_bounced" INTEGER NOT NULL DEFAULT 0,
    "complained" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "svc_daily_usage_pkey" PRIMARY KEY ("workspace_id","day","domain_id","slot")
);

-- CreateIndex
CREATE UNIQUE INDEX "svc_contact_book_workspace_id_public_id_key" ON "svc_contact_book"("workspace_id", "public_id");

-- CreateIndex
CREATE INDEX "svc_contact_workspace_id_book_id_id_idx" ON "svc_contact"("workspace_id", "book_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_contact_workspace_id_public_id_key" ON "svc_contact"("workspace_id", "public_id");

-- CreateIndex
CREATE INDEX "svc_campaign_workspace_id_book_id_idx" ON "svc_campaign"("workspace_id", "book_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_campaign_workspace_id_public_id_key" ON "svc_campaign"("workspace_id", "public_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_template_workspace_id_public_id_key" ON "svc_template"("workspace_id", "public_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_template_version_workspace_id_template_id_number_key" ON "svc_template_version"("workspace_id", "template_id", "number");

-- CreateIndex
CREATE INDEX "svc_webhook_call_workspace_id_webhook_id_status_id_idx" ON "svc_webhook_call"("workspace_id", "webhook_id", "status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_webhook_call_workspace_id_webhook_id_event_id_key" ON "svc_webhook_call"("workspace_id", "webhook_id", "event_id");

-- CreateIndex
CREATE UNIQUE INDEX "svc_provider_event_message_id_key" ON "svc_provider_event"("message_id");

-- CreateIndex
CREATE INDEX "svc_provider_event_applied_at_create_date_idx" ON "svc_provider_event"("applied_at", "create_date");

-- CreateIndex
CREATE INDEX "svc_email_workspace_id_create_date_id_idx" ON "svc_email"("workspace_id", "create_date", "id");

-- CreateIndex
CREATE INDEX "svc_email_workspace_id_domain_id_create_date_id_idx" ON "svc_email"("workspace_id", "domain_id", "create_date", "id");

-- AddForeignKey
ALTER TABLE "svc_api_key_use" ADD CONSTRAINT "svc_api_key_use_workspace_id_key_id_fkey" FOREIGN KEY ("workspace_id", "key_id") REFERENCES "svc_api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_contact" ADD CONSTRAINT "svc_contact_workspace_id_book_id_fkey" FOREIGN KEY ("workspace_id", "book_id") REFERENCES "svc_contact_book"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_campaign" ADD CONSTRAINT "svc_campaign_workspace_id_book_id_fkey" FOREIGN KEY ("workspace_id", "book_id") REFERENCES "svc_contact_book"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_template_version" ADD CONSTRAINT "svc_template_version_workspace_id_template_id_fkey" FOREIGN KEY ("workspace_id", "template_id") REFERENCES "svc_template"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_webhook_call" ADD CONSTRAINT "svc_webhook_call_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "svc_webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What the Prisma schema cannot say.

-- An address once in a book, whatever its case; and an address in every book of a workspace.
CREATE UNIQUE INDEX "svc_contact_book_email" ON "svc_contact" ("workspace_id", "book_id", lower("email"));
CREATE INDEX "svc_contact_email" ON "svc_contact" ("workspace_id", lower("email"));

-- Campaigns that are to be worked on, and no contact twice in one.
CREATE INDEX "svc_campaign_due" ON "svc_campaign" ("next_at") WHERE "status" IN ('SCHEDULED', 'RUNNING');
CREATE UNIQUE INDEX "svc_email_campaign_contact" ON "svc_email" ("workspace_id", "campaign_id", "contact_id") WHERE "campaign_id" IS NOT NULL;

-- The delivery worker's claim: mail of campaigns only when no other is due.
DROP INDEX "svc_email_queued";
CREATE INDEX "svc_email_queued" ON "svc_email" ("workspace_id", "run_at", "id") WHERE "state" = 'queued' AND "campaign_id" IS NULL;
CREATE INDEX "svc_email_queued_bulk" ON "svc_email" ("workspace_id", "run_at", "id") WHERE "state" = 'queued' AND "campaign_id" IS NOT NULL;

-- Events of the provider name an email without its workspace.
DROP INDEX "svc_email_provider";
CREATE INDEX "svc_email_provider" ON "svc_email" ("provider_id", "workspace_id") WHERE "provider_id" IS NOT NULL;
