-- AlterTable
ALTER TABLE "svc_agent_held" ADD COLUMN     "preview_json" JSON;
