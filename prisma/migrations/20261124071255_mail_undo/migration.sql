-- CreateTable
CREATE TABLE "svc_mail_undo" (
    "workspace_id" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "calls" JSONB NOT NULL DEFAULT '[]',
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_mail_undo_pkey" PRIMARY KEY ("workspace_id","token")
);

-- CreateIndex
CREATE INDEX "svc_mail_undo_workspace_id_user_id_create_date_idx" ON "svc_mail_undo"("workspace_id", "user_id", "create_date");

-- CreateIndex
CREATE INDEX "svc_mail_undo_create_date_idx" ON "svc_mail_undo"("create_date");

-- AddForeignKey
ALTER TABLE "svc_mail_undo" ADD CONSTRAINT "svc_mail_undo_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_mail_undo" SET (autovacuum_analyze_scale_factor = 0.02);
