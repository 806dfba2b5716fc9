-- AlterTable
ALTER TABLE "ir_model_fields" ADD COLUMN     "group_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[];

-- A domain that is verified without the claim of its name got there by a rename: it has to be verified again.
UPDATE "svc_domain" d SET "status" = 'PENDING', "is_verifying" = true, "checked_at" = NULL,
  "error_message" = 'The domain has to be verified again.'
WHERE d."status" = 'SUCCESS' AND NOT EXISTS (
  SELECT FROM "domain_claim" c WHERE c."name" = d."name" AND c."workspace_id" = d."workspace_id");

-- AlterTable
ALTER TABLE "svc_domain" ADD COLUMN     "claimed_name" TEXT
  GENERATED ALWAYS AS (CASE WHEN "status" = 'SUCCESS' THEN "name" END) STORED;

-- CreateTable
CREATE TABLE "svc_audit_block" (
    "workspace_id" INTEGER NOT NULL,
    "log" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "after" TIMESTAMP(3),
    "since" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,
    "lines" INTEGER NOT NULL,
    "digest" TEXT NOT NULL,
    "before" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "sealed_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_audit_block_pkey" PRIMARY KEY ("workspace_id","log","number")
);

-- CreateIndex
CREATE INDEX "svc_audit_block_until_idx" ON "svc_audit_block"("until");

-- CreateIndex
CREATE UNIQUE INDEX "domain_claim_name_workspace_id_key" ON "domain_claim"("name", "workspace_id");

-- CreateIndex
CREATE INDEX "svc_audit_event_create_date_idx" ON "svc_audit_event"("create_date");

-- CreateIndex
CREATE INDEX "svc_mcp_log_create_date_idx" ON "svc_mcp_log"("create_date");

-- AddForeignKey
ALTER TABLE "svc_domain" ADD CONSTRAINT "svc_domain_claimed_name_workspace_id_fkey" FOREIGN KEY ("claimed_name", "workspace_id") REFERENCES "domain_claim"("name", "workspace_id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What the Prisma schema cannot say.

-- Rights beyond the ceilings of models (`ceiling` in defineModel) do nothing; their records do not say otherwise.
UPDATE "ir_model_access" a SET "perm_write" = false, "perm_create" = false, "perm_unlink" = false
FROM "ir_model_stock" m WHERE m."id" = a."model_id" AND m."model" IN (
  'svc.mcp.log', 'svc.audit.event', 'svc.api.key', 'res.users.apikeys', 'res.users.log', 'ir.cron',
  'ir.module.module', 'ir.module.module.dependency', 'mail.tracking.value', 'svc.domain', 'svc.email',
  'svc.email.event', 'svc.outbox', 'svc.suppression', 'svc.campaign', 'svc.template.version', 'svc.webhook',
  'svc.webhook.call');

DELETE FROM "ir_model_access" a USING "ir_model_stock" m WHERE m."id" = a."model_id" AND m."model" IN (
  'svc.domain', 'svc.email', 'svc.email.event', 'svc.outbox', 'svc.suppression', 'svc.campaign', 'svc.contact',
  'svc.contact.book', 'svc.template', 'svc.template.version', 'svc.webhook', 'svc.webhook.call')
AND NOT EXISTS (
  SELECT FROM "res_groups" g WHERE g."workspace_id" = a."workspace_id" AND g."id" = a."group_id"
  AND g."external_id" = 'base.group_system');

-- Administrators read sending domains and template versions by a right of their own: every user's right is gone.
INSERT INTO "ir_model_access" ("workspace_id", "name", "model_id", "group_id", "perm_read")
SELECT g."workspace_id", m."model" || ' group_system', m."id", g."id", true FROM "ir_model_stock" m, "res_groups" g
WHERE m."model" IN ('svc.domain', 'svc.template.version') AND g."external_id" = 'base.group_system'
AND NOT EXISTS (
  SELECT FROM "ir_model_access" a WHERE a."workspace_id" = g."workspace_id" AND a."model_id" = m."id" AND a."group_id" = g."id");
