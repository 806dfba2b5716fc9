-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "filled" TEXT[] DEFAULT ARRAY[]::TEXT[];
