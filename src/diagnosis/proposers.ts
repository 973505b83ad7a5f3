import type { Proposer } from './proposal.ts';
import { proposeAdmissions } from './proposers/admission.ts';
import { proposeBlocksAfterFailures } from './proposers/after-failures.ts';
import { proposeAfterRefusals } from './proposers/after-refusals.ts';
import { proposeAnonymous } from './proposers/anonymous.ts';
import { proposeEndsByOtherKind } from './proposers/beside.ts';
import { proposeBlocks } from './proposers/block.ts';
import { proposeClassHeaders } from './proposers/class-headers.ts';
import { proposeClocks } from './proposers/clocks.ts';
import { proposeConnections } from './proposers/connection.ts';
import { proposeCrowds } from './proposers/crowd.ts';
import { proposeEarlyRefusals } from './proposers/early-refusal.ts';
import { proposeEvasions } from './proposers/evasion.ts';
import { proposeEvictions } from './proposers/eviction.ts';
import { proposeFirsts } from './proposers/first.ts';
import { proposeLateRemaining } from './proposers/late-remaining.ts';
import { proposeLeaks } from './proposers/leak.ts';
import { proposeLikelyBlocks } from './proposers/likely-blocks.ts';
import { proposeLimits } from './proposers/limit.ts';
import { proposeLimitsInTime } from './proposers/limit-in-time.ts';
import { proposeMarkerClocks, proposeRoundedMarkers } from './proposers/marker-clock.ts';
import { proposeMarkerOffsets } from './proposers/marker-offset.ts';
import { proposeMechanisms } from './proposers/mechanism.ts';
import { proposeMovedEnds } from './proposers/moved.ts';
import { proposeNextMarkers } from './proposers/next-marker.ts';
import { proposeNodes } from './proposers/nodes.ts';
import { proposeOldShares } from './proposers/old-share.ts';
import { proposeOpenings } from './proposers/opening.ts';
import { proposeOtherKind } from './proposers/other-kind.ts';
import { proposeOtherMarkers } from './proposers/other-marker.ts';
import { proposeNominalHeaders, proposeOtherPolicies, proposeOverwritten } from './proposers/other-policy.ts';
import { proposeOtherRemaining } from './proposers/other-remaining.ts';
import { proposeOverage } from './proposers/overage.ts';
import { proposePenalties } from './proposers/penalty.ts';
import { proposeRefusedBeside } from './proposers/refused-beside.ts';
import { proposeRefusedCharged } from './proposers/refused-charged.ts';
import { proposeRemainingAtTurns } from './proposers/remaining-at-turns.ts';
import { proposeRemainingRules } from './proposers/remaining-rule.ts';
import { proposeRepeated } from './proposers/repeated.ts';
import { proposeReporters } from './proposers/reporters.ts';
import { proposeResembling } from './proposers/resembling.ts';
import { proposeRetried } from './proposers/retried.ts';
import { proposeRollOver } from './proposers/roll-over.ts';
import { PARTITIONS, proposeApart } from './proposers/scope.ts';
import { proposeSecondLimits, proposeSharedLimits, proposeToldSharedLimits } from './proposers/second-limit.ts';
import { proposeRefusedByOtherKind, proposeSharedKinds } from './proposers/shared-kinds.ts';
import { KEY_BLOCKS, proposeBudgetOfAnyone, proposeOneBudget } from './proposers/sharing.ts';
import { proposeSharedClasses } from './proposers/sharing-class.ts';
import { proposeSomeLengths } from './proposers/some-lengths.ts';
import { proposeLostCounts } from './proposers/split.ts';
import { proposeDoubled, proposeForgotten } from './proposers/sporadic.ts';
import { proposeStaleCounts } from './proposers/stale-count.ts';
import { proposeTicks } from './proposers/ticks.ts';
import { proposeToldLimits } from './proposers/told-limit.ts';
import { proposeTriggers } from './proposers/trigger.ts';
import { proposeUnchecked } from './proposers/unchecked.ts';
import { proposeStatusWeights, WEIGHTS } from './proposers/weight.ts';
import { proposeLengths, proposePolicies, proposeShortCounters } from './proposers/window.ts';
import { proposeWindowLimits } from './proposers/window-limit.ts';

/** Every operator whose parameters can be read from a run. */
export const PROPOSERS: readonly Proposer[] = [
  proposeLimits,
  proposeWindowLimits,
  proposeLimitsInTime,
  proposeOneBudget,
  proposeBudgetOfAnyone,
  ...KEY_BLOCKS,
  proposeLikelyBlocks,
  proposeConnections,
  proposeSharedClasses,
  proposeSharedKinds,
  proposeRefusedByOtherKind,
  proposeOtherKind,
  proposeAnonymous,
  proposeResembling,
  proposeRefusedCharged,
  proposeMarkerOffsets,
  proposeNextMarkers,
  proposeMarkerClocks,
  proposeRoundedMarkers,
  proposeReporters,
  proposeRemainingRules,
  proposeRemainingAtTurns,
  proposeClassHeaders,
  proposeLateRemaining,
  proposeOtherMarkers,
  proposeOtherRemaining,
  proposeOtherPolicies,
  proposeNominalHeaders,
  proposeOverwritten,
  proposeApart,
  ...PARTITIONS,
  proposeRepeated,
  proposeEvasions,
  ...WEIGHTS,
  proposeStatusWeights,
  proposeFirsts,
  proposeRetried,
  proposeOpenings,
  proposeMechanisms,
  proposeLeaks,
  proposeLengths,
  proposeSomeLengths,
  proposePolicies,
  proposeShortCounters,
  proposeClocks,
  proposeTriggers,
  proposeStaleCounts,
  proposeBlocks,
  proposePenalties,
  proposeEndsByOtherKind,
  proposeRollOver,
  proposeOverage,
  proposeOldShares,
  proposeAfterRefusals,
  proposeAdmissions,
  proposeUnchecked,
  proposeCrowds,
  proposeTicks,
  proposeForgotten,
  proposeDoubled,
  proposeSecondLimits,
  proposeSharedLimits,
  proposeToldSharedLimits,
  proposeEarlyRefusals,
  proposeBlocksAfterFailures,
  proposeRefusedBeside,
  proposeToldLimits,
  proposeEvictions,
  proposeLostCounts,
  proposeMovedEnds,
  // It takes the most work, so it comes last, when it is known which price is too high.
  proposeNodes,
];
