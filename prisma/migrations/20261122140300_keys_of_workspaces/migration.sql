-- Foreign keys that a cluster can keep: an id never changes, so nothing was ever passed on. Their rows satisfied the same
-- condition until now, so they are not read here, where writers wait; the next migration does so beside them.

-- DropForeignKey
ALTER TABLE "res_company" DROP CONSTRAINT "res_company_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "res_company_users_rel" DROP CONSTRAINT "res_company_users_rel_workspace_id_cid_fkey";

-- DropForeignKey
ALTER TABLE "res_company_users_rel" DROP CONSTRAINT "res_company_users_rel_workspace_id_user_id_fkey";

-- DropForeignKey
ALTER TABLE "res_groups" DROP CONSTRAINT "res_groups_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "res_groups_implied_rel" DROP CONSTRAINT "res_groups_implied_rel_workspace_id_gid_fkey";

-- DropForeignKey
ALTER TABLE "res_groups_implied_rel" DROP CONSTRAINT "res_groups_implied_rel_workspace_id_hid_fkey";

-- DropForeignKey
ALTER TABLE "res_groups_users_rel" DROP CONSTRAINT "res_groups_users_rel_workspace_id_gid_fkey";

-- DropForeignKey
ALTER TABLE "res_groups_users_rel" DROP CONSTRAINT "res_groups_users_rel_workspace_id_uid_fkey";

-- DropForeignKey
ALTER TABLE "res_partner" DROP CONSTRAINT "res_partner_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "res_users" DROP CONSTRAINT "res_users_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_api_key" DROP CONSTRAINT "svc_api_key_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_api_key" DROP CONSTRAINT "svc_api_key_workspace_id_user_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_domain" DROP CONSTRAINT "svc_domain_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_email" DROP CONSTRAINT "svc_email_workspace_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_email_event" DROP CONSTRAINT "svc_email_event_workspace_id_email_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_outbox" DROP CONSTRAINT "svc_outbox_workspace_id_email_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_session" DROP CONSTRAINT "svc_session_workspace_id_key_id_fkey";

-- DropForeignKey
ALTER TABLE "svc_session" DROP CONSTRAINT "svc_session_workspace_id_user_id_fkey";

-- AlterTable
ALTER TABLE "svc_event" DROP CONSTRAINT "svc_event_pkey",
ADD CONSTRAINT "svc_event_pkey" PRIMARY KEY USING INDEX "svc_event_workspace_id_id";

-- AddForeignKey
ALTER TABLE "res_partner" ADD CONSTRAINT "res_partner_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_users" ADD CONSTRAINT "res_users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_company" ADD CONSTRAINT "res_company_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_groups" ADD CONSTRAINT "res_groups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_groups_users_rel" ADD CONSTRAINT "res_groups_users_rel_workspace_id_uid_fkey" FOREIGN KEY ("workspace_id", "uid") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_groups_users_rel" ADD CONSTRAINT "res_groups_users_rel_workspace_id_gid_fkey" FOREIGN KEY ("workspace_id", "gid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_groups_implied_rel" ADD CONSTRAINT "res_groups_implied_rel_workspace_id_gid_fkey" FOREIGN KEY ("workspace_id", "gid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_groups_implied_rel" ADD CONSTRAINT "res_groups_implied_rel_workspace_id_hid_fkey" FOREIGN KEY ("workspace_id", "hid") REFERENCES "res_groups"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_company_users_rel" ADD CONSTRAINT "res_company_users_rel_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "res_company_users_rel" ADD CONSTRAINT "res_company_users_rel_workspace_id_cid_fkey" FOREIGN KEY ("workspace_id", "cid") REFERENCES "res_company"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_api_key" ADD CONSTRAINT "svc_api_key_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_api_key" ADD CONSTRAINT "svc_api_key_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_session" ADD CONSTRAINT "svc_session_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "res_users"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_session" ADD CONSTRAINT "svc_session_workspace_id_key_id_fkey" FOREIGN KEY ("workspace_id", "key_id") REFERENCES "svc_api_key"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_domain" ADD CONSTRAINT "svc_domain_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_email" ADD CONSTRAINT "svc_email_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspace"("id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_email_event" ADD CONSTRAINT "svc_email_event_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;

-- AddForeignKey
ALTER TABLE "svc_outbox" ADD CONSTRAINT "svc_outbox_workspace_id_email_id_fkey" FOREIGN KEY ("workspace_id", "email_id") REFERENCES "svc_email"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION NOT VALID;
