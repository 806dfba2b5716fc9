-- CreateTable
CREATE TABLE "svc_notification" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "details" TEXT,
    "model" TEXT,
    "res_id" INTEGER,
    "read_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_notification_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "svc_notification_workspace_id_user_id_id_idx" ON "svc_notification"("workspace_id", "user_id", "id");

-- CreateIndex
CREATE INDEX "svc_notification_create_date_idx" ON "svc_notification"("create_date");

-- AddForeignKey
ALTER TABLE "svc_notification" ADD CONSTRAINT "svc_notification_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_notification" SET (autovacuum_analyze_scale_factor = 0.02);
