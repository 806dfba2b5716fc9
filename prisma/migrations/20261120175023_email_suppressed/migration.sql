-- AlterTable
ALTER TABLE "svc_email" ADD COLUMN     "suppressed" TEXT[] DEFAULT ARRAY[]::TEXT[];
