-- CreateTable
CREATE TABLE "svc_mail_job" (
    "workspace_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "account_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'waiting',
    "total" INTEGER,
    "done" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "server" TEXT,
    "code" TEXT,
    "error" TEXT,
    "plan" JSONB NOT NULL DEFAULT '{}',
    "sealed" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "turn" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMP(3),
    "create_date" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMP(3),

    CONSTRAINT "svc_mail_job_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "svc_mail_job_part" (
    "workspace_id" INTEGER NOT NULL,
    "job_id" INTEGER NOT NULL,
    "no" INTEGER NOT NULL,
    "entry_ids" BIGINT[],

    CONSTRAINT "svc_mail_job_part_pkey" PRIMARY KEY ("workspace_id","job_id","no")
);

-- CreateIndex
CREATE INDEX "svc_mail_job_workspace_id_next_at_idx" ON "svc_mail_job"("workspace_id", "next_at");

-- CreateIndex
CREATE INDEX "svc_mail_job_workspace_id_user_id_idx" ON "svc_mail_job"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "svc_mail_job_workspace_id_account_id_idx" ON "svc_mail_job"("workspace_id", "account_id");

-- CreateIndex
CREATE INDEX "svc_mail_job_ended_at_idx" ON "svc_mail_job"("ended_at");

-- AddForeignKey
ALTER TABLE "svc_mail_job" ADD CONSTRAINT "svc_mail_job_workspace_id_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "svc_mail_account"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_job" ADD CONSTRAINT "svc_mail_job_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_mail_job_part" ADD CONSTRAINT "svc_mail_job_part_workspace_id_job_id_fkey" FOREIGN KEY ("workspace_id", "job_id") REFERENCES "svc_mail_job"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "svc_mail_job" SET (autovacuum_analyze_scale_factor = 0.02);

-- AlterTable
ALTER TABLE "svc_mail_job_part" SET (autovacuum_analyze_scale_factor = 0.02);
