import { defineModel } from '../../src/engine/model/registry.ts';
import { access } from './access.ts';

defineModel('product.tag', { order: 'sequence, name, id', access });
