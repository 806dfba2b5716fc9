import { expect, it } from 'vitest';
import { strings as deAdmin } from '../../i18n/de/admin-workspace.ts';
import { strings as deCampaigns } from '../../i18n/de/campaigns.ts';
import { common as deCommon } from '../../i18n/de/common.ts';
import { strings as deEmail } from '../../i18n/de/email.ts';
import { strings as deShell } from '../../i18n/de/shell.ts';
import { strings as deSuppressions } from '../../i18n/de/suppressions.ts';
import { strings as deTemplates } from '../../i18n/de/templates.ts';
import { strings as deWebhooks } from '../../i18n/de/webhooks.ts';
import { strings as deWebsite } from '../../i18n/de/website.ts';
import { strings as enAdmin } from '../../i18n/en/admin-workspace.ts';
import { strings as enCampaigns } from '../../i18n/en/campaigns.ts';
import { common as enCommon } from '../../i18n/en/common.ts';
import { strings as enEmail } from '../../i18n/en/email.ts';
import { strings as enShell } from '../../i18n/en/shell.ts';
import { strings as enSuppressions } from '../../i18n/en/suppressions.ts';
import { strings as enTemplates } from '../../i18n/en/templates.ts';
import { strings as enWebhooks } from '../../i18n/en/webhooks.ts';
import { strings as enWebsite } from '../../i18n/en/website.ts';

it('names the buttons that open forms as their pages do', () => {
  for (const [shell, admin, campaigns, common, email, suppressions, templates, webhooks, website] of [
    [enShell, enAdmin, enCampaigns, enCommon, enEmail, enSuppressions, enTemplates, enWebhooks, enWebsite],
    [deShell, deAdmin, deCampaigns, deCommon, deEmail, deSuppressions, deTemplates, deWebhooks, deWebsite],
  ] as const)
    expect(shell.formButtons).toEqual({
      emailSend: common.testEmail,
      campaignCreate: campaigns.create,
      templateCreate: templates.create,
      domainAdd: email.addDomain,
      contactBookCreate: common.createBook,
      webhookCreate: webhooks.create,
      suppressionsAdd: suppressions.add,
      userInvite: admin.createUser,
      websiteOutline: website.create,
    });
});
