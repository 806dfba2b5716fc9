import { defineModule } from '../src/engine/model/modules.ts';

// The modules that platform models belong to. Apps declare theirs.

defineModule('base', ['res', 'ir', 'base']);
defineModule('mail', ['mail', 'svc']);
defineModule('website', ['website']);
