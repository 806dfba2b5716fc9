import { defineModule } from '../src/engine/model/modules.ts';

// Modules of the platform's own models. Apps declare theirs.

defineModule('base', ['res', 'ir', 'base']);
defineModule('mail', ['mail', 'svc']);
defineModule('website', ['website']);
