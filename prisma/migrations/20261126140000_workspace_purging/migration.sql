-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "purging_at" TIMESTAMP(3);

