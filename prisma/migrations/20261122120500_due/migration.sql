-- AlterTable
ALTER TABLE "svc_email" ADD COLUMN     "content_bytes" INTEGER;

-- CreateTable
CREATE TABLE "svc_due" (
    "workspace_id" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "next_at" TIMESTAMP(3) NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "svc_due_pkey" PRIMARY KEY ("workspace_id","kind")
);

-- CreateTable
CREATE TABLE "svc_worker" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "seen_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "svc_worker_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "svc_due_kind_next_at_idx" ON "svc_due"("kind", "next_at");

-- CreateIndex
CREATE INDEX "res_users_log_create_date_idx" ON "res_users_log"("create_date");

-- CreateIndex
CREATE INDEX "svc_event_dispatched_at_idx" ON "svc_event"("dispatched_at");

-- CreateIndex
CREATE INDEX "svc_live_until_idx" ON "svc_live"("until");

-- CreateIndex
CREATE INDEX "svc_provider_event_create_date_idx" ON "svc_provider_event"("create_date");

-- CreateIndex
CREATE INDEX "svc_session_expires_at_idx" ON "svc_session"("expires_at");

-- CreateIndex
CREATE INDEX "svc_webhook_call_create_date_idx" ON "svc_webhook_call"("create_date");

-- Few rows that change often: room in their pages lets a change that keeps `next_at` stay in its page.
ALTER TABLE "svc_due" SET (fillfactor = 50);

-- What waits already is found by the first look at each workspace.
INSERT INTO "svc_due" ("workspace_id", "kind", "next_at") SELECT "id", 'sweep', now() AT TIME ZONE 'UTC' FROM "workspace";

-- What workers look for across workspaces: few rows, in the order in which they are wanted.
CREATE INDEX "svc_webhook_lease" ON "svc_webhook" ("lease_until") WHERE "lease_until" IS NOT NULL;
CREATE INDEX "svc_webhook_call_pending" ON "svc_webhook_call" ("run_at") WHERE "status" = 'PENDING';
CREATE INDEX "svc_domain_unverified" ON "svc_domain" ("create_date") WHERE "status" <> 'SUCCESS';
CREATE INDEX "svc_domain_unverified_checked" ON "svc_domain" ("checked_at" NULLS FIRST) WHERE "status" <> 'SUCCESS';
CREATE INDEX "svc_domain_verified" ON "svc_domain" ("checked_at" NULLS FIRST) WHERE "status" = 'SUCCESS';
