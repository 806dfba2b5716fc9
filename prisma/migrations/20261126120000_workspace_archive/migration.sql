-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "purge_at" TIMESTAMP(3);

-- CreateTable
CREATE TABLE "svc_workspace_export" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL DEFAULT 0,
    "size" BIGINT,
    "content_hash" TEXT,
    "error" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finished_at" TIMESTAMP(3),
    "expires_at" TIMESTAMP(3),

    CONSTRAINT "svc_workspace_export_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "svc_workspace_export_workspace_id_content_hash_idx" ON "svc_workspace_export"("workspace_id", "content_hash");

-- CreateIndex
CREATE INDEX "svc_workspace_export_expires_at_idx" ON "svc_workspace_export"("expires_at");

-- CreateIndex
CREATE INDEX "workspace_purge_at_idx" ON "workspace"("purge_at");

-- AddForeignKey
ALTER TABLE "svc_workspace_export" ADD CONSTRAINT "svc_workspace_export_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_workspace_export" SET (autovacuum_analyze_scale_factor = 0.02);
