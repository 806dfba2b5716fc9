-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "seats" INTEGER;
