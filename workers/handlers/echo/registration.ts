import { echo } from '../../../src/domains/echo/echo.ts';
import type { DomainHandlers } from '../../domain-handlers.ts';
import { register } from '../../registry.ts';

export const registrations: DomainHandlers = () => [
  register(echo, async () => (await import('./echo.ts')).echo),
];
