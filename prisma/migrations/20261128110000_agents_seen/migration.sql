-- AlterTable
ALTER TABLE "svc_agent" ADD COLUMN     "last_seen_at" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- Until now an agent was seen when it called.
UPDATE "svc_agent" SET "last_seen_at" = "last_call_at";
