import { defineDomain } from '../domain.ts';
import { echo } from './echo.ts';

/** One definition for trying things out. */
export const echoing = defineDomain({ name: 'echo', definitions: [echo] });
