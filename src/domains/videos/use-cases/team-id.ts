import { DomainError } from '../../../core/errors.ts';
import { checkFilterText } from '../../../core/filter-values.ts';

const MAX_LENGTH = 255;

/**
 * Whose team's a video is: a key of the caller's own. @throws DomainError `InvalidArgument` naming `teamId`
 */
export function checkTeamId(teamId: string | null | undefined): void {
  if (teamId === '')
    throw new DomainError('InvalidArgument', `team is empty; allowed: 1 to ${MAX_LENGTH} characters.`, {
      field: 'team',
      allowed: `1 to ${MAX_LENGTH} characters`,
    });
  checkFilterText('team', teamId, MAX_LENGTH);
}
