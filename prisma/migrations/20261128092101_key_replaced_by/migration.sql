-- AlterTable
ALTER TABLE "svc_api_key" ADD COLUMN "replaced_by" INTEGER;
