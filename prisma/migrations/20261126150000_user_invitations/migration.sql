-- CreateTable
CREATE TABLE "svc_user_invitation" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "company_id" INTEGER,
    "user_id" INTEGER,
    "mail_count" INTEGER NOT NULL DEFAULT 0,
    "sent_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMP(3) NOT NULL,
    "accepted_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "create_uid" INTEGER,

    CONSTRAINT "svc_user_invitation_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_user_invitation_group_rel" (
    "workspace_id" INTEGER NOT NULL,
    "invitation_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,

    CONSTRAINT "svc_user_invitation_group_rel_pkey" PRIMARY KEY ("workspace_id","invitation_id","group_id")
);

-- CreateTable
CREATE TABLE "svc_user_invitation_mailbox_rel" (
    "workspace_id" INTEGER NOT NULL,
    "invitation_id" INTEGER NOT NULL,
    "account_id" INTEGER NOT NULL,

    CONSTRAINT "svc_user_invitation_mailbox_rel_pkey" PRIMARY KEY ("workspace_id","invitation_id","account_id")
);

-- CreateIndex
CREATE INDEX "svc_user_invitation_workspace_id_state_email_idx" ON "svc_user_invitation"("workspace_id", "state", "email");

-- CreateIndex
CREATE INDEX "svc_user_invitation_expires_at_idx" ON "svc_user_invitation"("expires_at");

-- CreateIndex
CREATE INDEX "svc_user_invitation_create_date_idx" ON "svc_user_invitation"("create_date");

-- CreateIndex
CREATE INDEX "svc_user_invitation_group_rel_workspace_id_group_id_idx" ON "svc_user_invitation_group_rel"("workspace_id", "group_id");

-- CreateIndex
CREATE INDEX "svc_user_invitation_mailbox_rel_workspace_id_account_id_idx" ON "svc_user_invitation_mailbox_rel"("workspace_id", "account_id");

-- AddForeignKey
ALTER TABLE "svc_user_invitation" ADD CONSTRAINT "svc_user_invitation_workspace_id_company_id_fkey" FOREIGN KEY ("workspace_id", "company_id") REFERENCES "res_company"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_user_invitation" ADD CONSTRAINT "svc_user_invitation_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_user_invitation" ADD CONSTRAINT "svc_user_invitation_workspace_id_create_uid_fkey" FOREIGN KEY ("workspace_id", "create_uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_user_invitation_group_rel" ADD CONSTRAINT "svc_user_invitation_group_rel_workspace_id_invitation_id_fkey" FOREIGN KEY ("workspace_id", "invitation_id") REFERENCES "svc_user_invitation"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_user_invitation_group_rel" ADD CONSTRAINT "svc_user_invitation_group_rel_workspace_id_group_id_fkey" FOREIGN KEY ("workspace_id", "group_id") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_user_invitation_mailbox_rel" ADD CONSTRAINT "svc_user_invitation_mailbox_rel_workspace_id_invitation_id_fkey" FOREIGN KEY ("workspace_id", "invitation_id") REFERENCES "svc_user_invitation"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_user_invitation_mailbox_rel" ADD CONSTRAINT "svc_user_invitation_mailbox_rel_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_user_invitation" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_user_invitation_group_rel" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_user_invitation_mailbox_rel" SET (autovacuum_analyze_scale_factor = 0.02);
