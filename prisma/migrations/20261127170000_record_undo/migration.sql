-- CreateTable
CREATE TABLE "svc_record_undo" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "user_id" INTEGER NOT NULL,
    "token" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "lang" TEXT,
    "records" JSONB NOT NULL,
    "record_count" INTEGER NOT NULL,
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_record_undo_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateIndex
CREATE INDEX "svc_record_undo_workspace_id_user_id_token_idx" ON "svc_record_undo"("workspace_id", "user_id", "token");

-- CreateIndex
CREATE INDEX "svc_record_undo_create_date_idx" ON "svc_record_undo"("create_date");

-- AddForeignKey
ALTER TABLE "svc_record_undo" ADD CONSTRAINT "svc_record_undo_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_record_undo" SET (autovacuum_analyze_scale_factor = 0.02);
