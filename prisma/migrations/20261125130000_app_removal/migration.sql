-- CreateTable
CREATE TABLE "svc_app_removal" (
    "workspace_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "apps" TEXT[],
    "plan" JSONB NOT NULL,
    "total" BIGINT NOT NULL,
    "deleted" BIGINT NOT NULL DEFAULT 0,
    "started_at" TIMESTAMP(3) NOT NULL,
    "leased_until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "svc_app_removal_pkey" PRIMARY KEY ("workspace_id","name")
);

-- AlterTable
ALTER TABLE "svc_app_removal" SET (autovacuum_analyze_scale_factor = 0.02);

CREATE TRIGGER "identity" AFTER INSERT OR UPDATE ON "ir_module_module" FOR EACH ROW EXECUTE FUNCTION "atrium_identity_changed"();
