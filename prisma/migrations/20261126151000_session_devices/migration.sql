-- AlterTable
ALTER TABLE "svc_session" ADD COLUMN     "address" TEXT,
ADD COLUMN     "user_agent" TEXT;

-- CreateTable
CREATE TABLE "svc_session_use" (
    "workspace_id" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,
    "used_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_session_use_pkey" PRIMARY KEY ("workspace_id","hash")
);

-- AddForeignKey
ALTER TABLE "svc_session_use" ADD CONSTRAINT "svc_session_use_workspace_id_hash_fkey" FOREIGN KEY ("workspace_id", "hash") REFERENCES "svc_session"("workspace_id", "hash") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_session_use" SET (autovacuum_analyze_scale_factor = 0.02);
