-- CreateTable
CREATE TABLE "workspace" (
    "id" SERIAL NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "features" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "installation" (
    "name" TEXT NOT NULL,
    "value" TEXT NOT NULL,

    CONSTRAINT "installation_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "res_partner" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "complete_name" TEXT NOT NULL DEFAULT '',
    "is_company" BOOLEAN NOT NULL DEFAULT false,
    "type" TEXT DEFAULT 'contact',
    "parent_id" INTEGER,
    "email" TEXT,
    "phone" TEXT,
    "website" TEXT,
    "street" TEXT,
    "street2" TEXT,
    "zip" TEXT,
    "city" TEXT,
    "vat" TEXT,
    "company_registry" TEXT,
    "ref" TEXT,
    "function" TEXT,
    "lang" TEXT DEFAULT 'en_US',
    "tz" TEXT,
    "comment" TEXT,
    "color" INTEGER NOT NULL DEFAULT 0,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "user_id" INTEGER,
    "company_id" INTEGER,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "res_partner_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_users" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "login" TEXT NOT NULL,
    "password" TEXT,
    "partner_id" INTEGER NOT NULL,
    "company_id" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "lang" TEXT DEFAULT 'en_US',
    "tz" TEXT,
    "signature" TEXT,
    "is_svc_agent" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_uid" INTEGER,

    CONSTRAINT "res_users_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_company" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "partner_id" INTEGER,
    "email" TEXT,
    "phone" TEXT,
    "website" TEXT,
    "sequence" INTEGER NOT NULL DEFAULT 10,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "res_company_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_groups" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "external_id" TEXT,
    "comment" TEXT,
    "share" BOOLEAN NOT NULL DEFAULT false,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "res_groups_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "res_groups_users_rel" (
    "workspace_id" INTEGER NOT NULL,
    "uid" INTEGER NOT NULL,
    "gid" INTEGER NOT NULL,

    CONSTRAINT "res_groups_users_rel_pkey" PRIMARY KEY ("workspace_id","uid","gid")
);

-- CreateTable
CREATE TABLE "res_groups_implied_rel" (
    "workspace_id" INTEGER NOT NULL,
    "gid" INTEGER NOT NULL,
    "hid" INTEGER NOT NULL,

    CONSTRAINT "res_groups_implied_rel_pkey" PRIMARY KEY ("workspace_id","gid","hid")
);

-- CreateTable
CREATE TABLE "res_company_users_rel" (
    "workspace_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "cid" INTEGER NOT NULL,

    CONSTRAINT "res_company_users_rel_pkey" PRIMARY KEY ("workspace_id","user_id","cid")
);

-- CreateTable
CREATE TABLE "svc_api_key" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "user_id" INTEGER,
    "prefix" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "expires_at" TIMESTAMP(3),
    "revoked_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_api_key_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_session" (
    "workspace_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_session_pkey" PRIMARY KEY ("workspace_id","hash")
);

-- CreateTable
CREATE TABLE "svc_mcp_log" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER,
    "tool" TEXT NOT NULL,
    "model_name" TEXT,
    "method" TEXT,
    "success" BOOLEAN NOT NULL,
    "error" TEXT,
    "summary" TEXT,
    "record_count" INTEGER NOT NULL DEFAULT 0,
    "duration_ms" INTEGER NOT NULL DEFAULT 0,
    "request_id" TEXT,

    CONSTRAINT "svc_mcp_log_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_audit_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "user_id" INTEGER,
    "channel" TEXT NOT NULL,
    "event" TEXT NOT NULL,
    "success" BOOLEAN NOT NULL,
    "error" TEXT,
    "summary" TEXT,
    "request_id" TEXT,

    CONSTRAINT "svc_audit_event_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_event" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" INTEGER NOT NULL,
    "topic" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "run_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dispatched_at" TIMESTAMP(3),

    CONSTRAINT "svc_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "svc_domain" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'NOT_STARTED',
    "region" TEXT NOT NULL,
    "click_tracking" BOOLEAN NOT NULL DEFAULT false,
    "open_tracking" BOOLEAN NOT NULL DEFAULT false,
    "public_key" TEXT NOT NULL DEFAULT '',
    "dkim_selector" TEXT,
    "dkim_status" TEXT,
    "spf_details" TEXT,
    "dmarc_added" BOOLEAN NOT NULL DEFAULT false,
    "is_verifying" BOOLEAN NOT NULL DEFAULT false,
    "error_message" TEXT,
    "subdomain" TEXT,
    "dkim_tokens" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "checked_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_domain_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "domain_claim" (
    "name" TEXT NOT NULL,
    "workspace_id" INTEGER NOT NULL,

    CONSTRAINT "domain_claim_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "svc_email" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "public_id" TEXT NOT NULL,
    "api_key_id" INTEGER,
    "domain_id" INTEGER,
    "from" TEXT NOT NULL,
    "to" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "cc" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "bcc" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "reply_to" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "subject" TEXT NOT NULL,
    "html" TEXT,
    "text" TEXT,
    "headers" JSONB,
    "attachments" JSONB,
    "template_id" TEXT,
    "variables" JSONB,
    "in_reply_to_id" TEXT,
    "scheduled_at" TIMESTAMP(3),
    "latest_status" TEXT NOT NULL DEFAULT 'QUEUED',
    "state" TEXT NOT NULL DEFAULT 'queued',
    "reason" TEXT,
    "run_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "pending" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "lease_until" TIMESTAMP(3),
    "lease_by" TEXT,
    "provider_id" TEXT,
    "sent_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "write_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_email_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_email_event" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "email_id" INTEGER NOT NULL,
    "status" TEXT NOT NULL,
    "data" JSONB,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_email_event_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_idempotency" (
    "workspace_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "response" JSONB NOT NULL,
    "created_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_idempotency_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "svc_suppression" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "reason" TEXT NOT NULL DEFAULT 'MANUAL',
    "source" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_suppression_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_outbox" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "email_id" INTEGER NOT NULL,
    "recipients" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
    "raw" BYTEA NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_outbox_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "workspace_slug_key" ON "workspace"("slug");

-- CreateIndex
CREATE INDEX "res_partner_workspace_id_complete_name_idx" ON "res_partner"("workspace_id", "complete_name");

-- CreateIndex
CREATE INDEX "res_partner_workspace_id_parent_id_idx" ON "res_partner"("workspace_id", "parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "res_users_workspace_id_login_key" ON "res_users"("workspace_id", "login");

-- CreateIndex
CREATE UNIQUE INDEX "res_company_workspace_id_name_key" ON "res_company"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "res_groups_workspace_id_external_id_key" ON "res_groups"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "res_groups_users_rel_workspace_id_gid_idx" ON "res_groups_users_rel"("workspace_id", "gid");

-- CreateIndex
CREATE INDEX "svc_api_key_prefix_idx" ON "svc_api_key"("prefix");

-- CreateIndex
CREATE INDEX "svc_session_hash_idx" ON "svc_session"("hash");

-- CreateIndex
CREATE INDEX "svc_mcp_log_workspace_id_create_date_idx" ON "svc_mcp_log"("workspace_id", "create_date");

-- CreateIndex
CREATE INDEX "svc_audit_event_workspace_id_create_date_idx" ON "svc_audit_event"("workspace_id", "create_date");

-- CreateIndex
CREATE UNIQUE INDEX "svc_domain_workspace_id_name_key" ON "svc_domain"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "svc_email_workspace_id_public_id_key" ON "svc_email"("workspace_id", "public_id");

-- CreateIndex
CREATE INDEX "svc_email_event_workspace_id_email_id_idx" ON "svc_email_event"("workspace_id", "email_id");

-- CreateIndex
CREATE INDEX "svc_idempotency_created_at_idx" ON "svc_idempotency"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "svc_suppression_workspace_id_email_key" ON "svc_suppression"("workspace_id", "email");

-- CreateIndex
CREATE INDEX "svc_outbox_workspace_id_email_id_idx" ON "svc_outbox"("workspace_id", "email_id");

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_write_uid_fkey" FOREIGN KEY ("workspace_id", "write_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_write_uid_fkey" FOREIGN KEY ("workspace_id", "write_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_partner_id_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "res_groups" ADD CONSTRAINT "res_groups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_groups_users_rel" ADD CONSTRAINT "res_groups_users_rel_workspace_id_uid_fkey" FOREIGN KEY ("workspace_id", "uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_groups_users_rel" ADD CONSTRAINT "res_groups_users_rel_workspace_id_gid_fkey" FOREIGN KEY ("workspace_id", "gid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_groups_implied_rel" ADD CONSTRAINT "res_groups_implied_rel_workspace_id_gid_fkey" FOREIGN KEY ("workspace_id", "gid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_groups_implied_rel" ADD CONSTRAINT "res_groups_implied_rel_workspace_id_hid_fkey" FOREIGN KEY ("workspace_id", "hid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_company_users_rel" ADD CONSTRAINT "res_company_users_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "res_company_users_rel" ADD CONSTRAINT "res_company_users_rel_workspace_id_cid_fkey" FOREIGN KEY ("workspace_id", "cid") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_api_key" ADD CONSTRAINT "svc_api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_api_key" ADD CONSTRAINT "svc_api_key_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_session" ADD CONSTRAINT "svc_session_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_mcp_log" ADD CONSTRAINT "svc_mcp_log_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_audit_event" ADD CONSTRAINT "svc_audit_event_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_domain" ADD CONSTRAINT "svc_domain_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_email" ADD CONSTRAINT "svc_email_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_email" ADD CONSTRAINT "svc_email_workspace_id_domain_id_fkey" FOREIGN KEY ("workspace_id", "domain_id") REFERENCES "svc_domain"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_email_event" ADD CONSTRAINT "svc_email_event_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_outbox" ADD CONSTRAINT "svc_outbox_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What the Prisma schema cannot say.

-- The delivery worker's claim: due mail by workspace; and leases that ran out.
CREATE INDEX "svc_email_queued" ON "svc_email" ("workspace_id", "run_at", "id") WHERE "state" = 'queued';
CREATE INDEX "svc_email_provider" ON "svc_email" ("workspace_id", "provider_id") WHERE "provider_id" IS NOT NULL;
CREATE INDEX "svc_email_lease" ON "svc_email" ("lease_until") WHERE "state" = 'sending';
CREATE INDEX "svc_email_unknown" ON "svc_email" ("write_date") WHERE "state" = 'unknown';

-- Events nobody has been told of yet.
CREATE INDEX "svc_event_waiting" ON "svc_event" ("run_at", "id") WHERE "dispatched_at" IS NULL;

ALTER TABLE "svc_email" ADD CONSTRAINT "svc_email_state_check"
  CHECK ("state" IN ('queued', 'sending', 'sent', 'failed', 'unknown', 'cancelled', 'suppressed'));

-- Whoever keeps identities in memory hears of every change that could make them wrong.
CREATE FUNCTION "atrium_identity_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('atrium_identity', '');
  RETURN NULL;
END $$;

CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_api_key" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "svc_session" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "workspace" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OR DELETE ON "res_users" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_groups_users_rel" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_groups_implied_rel" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER INSERT OR UPDATE OR DELETE ON "res_company_users_rel" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
CREATE TRIGGER "identity" AFTER UPDATE OF "external_id" OR DELETE ON "res_groups" FOR EACH STATEMENT EXECUTE FUNCTION "atrium_identity_changed"();
