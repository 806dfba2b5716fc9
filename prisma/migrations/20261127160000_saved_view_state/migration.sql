-- AlterTable
ALTER TABLE "svc_saved_view" ADD COLUMN     "state" JSONB;
