-- DropForeignKey
ALTER TABLE "svc_email_event" DROP CONSTRAINT "svc_email_event_workspace_id_email_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_outbox" DROP CONSTRAINT "svc_outbox_workspace_id_email_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_webhook_call" DROP CONSTRAINT "svc_webhook_call_workspace_id_webhook_id_fkey";

-- AlterTable
ALTER TABLE "svc_audit_event" ALTER COLUMN "id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_change" ALTER COLUMN "ids" SET DATA TYPE BIGINT[];

-- AlterTable
ALTER TABLE "svc_email" ALTER COLUMN "id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_email_event" ALTER COLUMN "id" SET DATA TYPE BIGINT,
ALTER COLUMN "email_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_mcp_log" ALTER COLUMN "id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_outbox" ALTER COLUMN "id" SET DATA TYPE BIGINT,
ALTER COLUMN "email_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_provider_event" ALTER COLUMN "email_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_suppression" ALTER COLUMN "id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_webhook" ALTER COLUMN "id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "svc_webhook_call" ALTER COLUMN "id" SET DATA TYPE BIGINT,
ALTER COLUMN "webhook_id" SET DATA TYPE BIGINT,
ALTER COLUMN "email_id" SET DATA TYPE BIGINT;

-- Their sequences count as far.
ALTER SEQUENCE "svc_audit_event_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_email_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_email_event_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_mcp_log_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_outbox_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_suppression_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_webhook_id_seq" AS BIGINT;
ALTER SEQUENCE "svc_webhook_call_id_seq" AS BIGINT;

-- AddForeignKey
ALTER TABLE "svc_email_event" ADD CONSTRAINT "svc_email_event_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_outbox" ADD CONSTRAINT "svc_outbox_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "svc_webhook_call" ADD CONSTRAINT "svc_webhook_call_workspace_id_webhook_id_fkey" FOREIGN KEY ("workspace_id", "webhook_id") REFERENCES "svc_webhook"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
