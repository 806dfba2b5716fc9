-- AlterTable
ALTER TABLE "svc_mail_staged" ADD COLUMN     "outgoing_id" INTEGER;

-- CreateTable
CREATE TABLE "svc_mail_outgoing" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "from_address" TEXT NOT NULL DEFAULT '',
    "to" TEXT NOT NULL,
    "cc" TEXT NOT NULL DEFAULT '',
    "bcc" TEXT NOT NULL DEFAULT '',
    "subject" TEXT NOT NULL DEFAULT '',
    "body" TEXT NOT NULL DEFAULT '',
    "body_html" TEXT NOT NULL DEFAULT '',
    "mode" TEXT NOT NULL DEFAULT 'new',
    "in_reply_to" BIGINT,
    "attachment_ids" INTEGER[] DEFAULT ARRAY[]::INTEGER[],
    "add_signature" BOOLEAN NOT NULL DEFAULT true,
    "send_at" TIMESTAMP(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "error" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_outgoing_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "svc_mail_outgoing_workspace_id_next_at_idx" ON "svc_mail_outgoing"("workspace_id", "next_at");

-- CreateIndex
CREATE INDEX "svc_mail_outgoing_workspace_id_user_id_idx" ON "svc_mail_outgoing"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "svc_mail_outgoing_workspace_id_account_id_idx" ON "svc_mail_outgoing"("workspace_id", "account_id");

-- AddForeignKey
ALTER TABLE "svc_mail_outgoing" ADD CONSTRAINT "svc_mail_outgoing_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_outgoing" ADD CONSTRAINT "svc_mail_outgoing_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_mail_outgoing" SET (autovacuum_analyze_scale_factor = 0.02);
