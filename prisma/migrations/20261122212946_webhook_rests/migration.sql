-- AlterTable
ALTER TABLE "svc_webhook" ADD COLUMN     "misses" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "rests_until" TIMESTAMP(3);
