-- CreateTable
CREATE TABLE "svc_upload" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "checksum" TEXT,
    "hash" TEXT,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_upload_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "svc_upload_workspace_id_user_id_idx" ON "svc_upload"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "svc_upload_workspace_id_hash_idx" ON "svc_upload"("workspace_id", "hash");

-- CreateIndex
CREATE INDEX "svc_upload_create_date_idx" ON "svc_upload"("create_date");

-- AddForeignKey
ALTER TABLE "svc_upload" ADD CONSTRAINT "svc_upload_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_upload" SET (autovacuum_analyze_scale_factor = 0.02);
