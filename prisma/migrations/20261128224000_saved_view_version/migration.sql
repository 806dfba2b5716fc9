-- AlterTable
ALTER TABLE "svc_saved_view" ADD COLUMN     "row_version" INTEGER NOT NULL DEFAULT 1;
