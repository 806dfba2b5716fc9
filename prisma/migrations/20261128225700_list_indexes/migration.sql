-- CreateIndex
CREATE INDEX "ir_module_module_workspace_id_category_id_idx" ON "ir_module_module"("workspace_id", "category_id");

-- CreateIndex
CREATE INDEX "res_company_users_rel_workspace_id_cid_idx" ON "res_company_users_rel"("workspace_id", "cid");

-- CreateIndex
CREATE INDEX "res_company_workspace_id_parent_id_idx" ON "res_company"("workspace_id", "parent_id");

-- CreateIndex
CREATE INDEX "res_groups_privilege_workspace_id_category_id_idx" ON "res_groups_privilege"("workspace_id", "category_id");

-- CreateIndex
CREATE INDEX "res_users_identitycheck_workspace_id_description_id_idx" ON "res_users_identitycheck"("workspace_id", "description_id");

-- CreateIndex
CREATE INDEX "svc_api_key_workspace_id_user_id_idx" ON "svc_api_key"("workspace_id", "user_id");
