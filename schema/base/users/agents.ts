import { defineAgentRestrictions } from '../../../src/engine/access/agents.ts';
import { loadAdministrators } from './administrators.ts';

// The refusals of the contract by number ("MCP refusals"). Models that are not there yet are named too, so that they
// are closed from their first day.
defineAgentRestrictions({
  closedModels: new Set([
    // 1: rights, what is shown, what runs by itself, templates of mail and settings
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
    // 1: how mail is signed in to, its rules and its switches
    'ir.mail_server',
    'fetchmail.server',
    'svc.mail.rule',
    'svc.mail.feature',
    'svc.mail.policy',
    'svc.api.key',
    'res.users.apikeys',
    'res.users.apikeys.description',
    'res.users.identitycheck',
    // 4: mail as it is stored, the auto reply, and what the provider says of a domain
    'mail.mail',
    'mail.message',
    'svc.mail.message',
    'svc.mail.entry',
    'svc.mail.autoreply',
    'svc.domain',
  ]),
  powers: loadAdministrators,
});
