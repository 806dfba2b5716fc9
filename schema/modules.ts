import { defineModule } from '../src/engine/model/modules.ts';

// The modules of platform models. Apps declare their own.

defineModule('base', ['res', 'ir', 'base']);
defineModule('mail', ['mail', 'svc']);
defineModule('website', ['website']);
