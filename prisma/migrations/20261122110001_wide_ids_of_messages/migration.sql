-- DropForeignKey
ALTER TABLE "activity_attachment_rel" DROP CONSTRAINT "activity_attachment_rel_workspace_id_attachment_id_fkey";

-- DropForeignKey
ALTER TABLE "mail_message" DROP CONSTRAINT "mail_message_workspace_id_parent_id_fkey";

-- DropForeignKey
ALTER TABLE "mail_message_res_partner_rel" DROP CONSTRAINT "mail_message_res_partner_rel_workspace_id_mail_message_id_fkey";

-- DropForeignKey
ALTER TABLE "mail_tracking_value" DROP CONSTRAINT "mail_tracking_value_workspace_id_mail_message_id_fkey";

-- DropForeignKey
ALTER TABLE "message_attachment_rel" DROP CONSTRAINT "message_attachment_rel_workspace_id_attachment_id_fkey";

-- DropForeignKey
ALTER TABLE "message_attachment_rel" DROP CONSTRAINT "message_attachment_rel_workspace_id_message_id_fkey";

-- AlterTable
ALTER TABLE "activity_attachment_rel" ALTER COLUMN "attachment_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "ir_attachment" ALTER COLUMN "id" SET DATA TYPE BIGINT,
ALTER COLUMN "res_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "ir_field_index" ALTER COLUMN "record_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "ir_model_data" ALTER COLUMN "res_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "ir_record_link" ALTER COLUMN "self_id" SET DATA TYPE BIGINT,
ALTER COLUMN "other_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "mail_activity" ALTER COLUMN "res_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "mail_followers" ALTER COLUMN "res_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "mail_message" ALTER COLUMN "id" SET DATA TYPE BIGINT,
ALTER COLUMN "res_id" SET DATA TYPE BIGINT,
ALTER COLUMN "parent_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "mail_message_res_partner_rel" ALTER COLUMN "mail_message_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "mail_tracking_value" ALTER COLUMN "id" SET DATA TYPE BIGINT,
ALTER COLUMN "mail_message_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "message_attachment_rel" ALTER COLUMN "message_id" SET DATA TYPE BIGINT,
ALTER COLUMN "attachment_id" SET DATA TYPE BIGINT;

-- AlterTable
ALTER TABLE "res_users_log" ALTER COLUMN "id" SET DATA TYPE BIGINT;

-- Their sequences count as far.
ALTER SEQUENCE "ir_attachment_id_seq" AS BIGINT;
ALTER SEQUENCE "mail_message_id_seq" AS BIGINT;
ALTER SEQUENCE "mail_tracking_value_id_seq" AS BIGINT;
ALTER SEQUENCE "res_users_log_id_seq" AS BIGINT;

-- AddForeignKey
ALTER TABLE "mail_message" ADD CONSTRAINT "mail_message_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_message_res_partner_rel" ADD CONSTRAINT "mail_message_res_partner_rel_workspace_id_mail_message_id_fkey" FOREIGN KEY ("workspace_id", "mail_message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_attachment_rel" ADD CONSTRAINT "message_attachment_rel_workspace_id_message_id_fkey" FOREIGN KEY ("workspace_id", "message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "message_attachment_rel" ADD CONSTRAINT "message_attachment_rel_workspace_id_attachment_id_fkey" FOREIGN KEY ("workspace_id", "attachment_id") REFERENCES "ir_attachment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_tracking_value" ADD CONSTRAINT "mail_tracking_value_workspace_id_mail_message_id_fkey" FOREIGN KEY ("workspace_id", "mail_message_id") REFERENCES "mail_message"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activity_attachment_rel" ADD CONSTRAINT "activity_attachment_rel_workspace_id_attachment_id_fkey" FOREIGN KEY ("workspace_id", "attachment_id") REFERENCES "ir_attachment"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;
