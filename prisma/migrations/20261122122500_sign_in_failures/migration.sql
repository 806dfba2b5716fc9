-- CreateTable
CREATE TABLE "svc_sign_in_failure" (
    "workspace_id" INTEGER NOT NULL,
    "what" TEXT NOT NULL,
    "failures" INTEGER NOT NULL,
    "last_at" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_sign_in_failure_pkey" PRIMARY KEY ("workspace_id","what")
);

-- CreateIndex
CREATE INDEX "svc_sign_in_failure_last_at_idx" ON "svc_sign_in_failure"("last_at");
