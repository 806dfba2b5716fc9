import { defineAgentRestrictions } from '../../../src/engine/access/agents.ts';
import { loadAdministrators } from './administrators.ts';

// Restrictions on agents, numbered as in the contract ("MCP refusals"). The list includes models that do not exist yet,
// so that agents never get access to them.
defineAgentRestrictions({
  closedModels: new Set([
    // Rule 1: access rights, views, automations, mail templates and settings
    'ir.model.access',
    'ir.rule',
    'res.groups',
    'res.groups.privilege',
    'ir.ui.view',
    'ir.ui.menu',
    'ir.cron',
    'ir.actions.server',
    'mail.template',
    'ir.config_parameter',
    // Rule 1: mail server credentials, mail rules and mail settings
    'ir.mail_server',
    'fetchmail.server',
    'svc.mail.rule',
    'svc.mail.feature',
    'svc.mail.policy',
    'svc.api.key',
    'res.users.apikeys',
    'res.users.apikeys.description',
    'res.users.identitycheck',
    // Rule 4: stored mail, auto-replies and provider data of domains
    'mail.mail',
    'mail.message',
    'svc.mail.message',
    'svc.mail.entry',
    'svc.mail.autoreply',
    'svc.domain',
  ]),
  powers: loadAdministrators,
});
