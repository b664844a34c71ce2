// What stands on a page beside what it is about may fail alone. It is said once, with one press that asks for all of it again.
import { type ComputedRef, computed, type Ref } from 'vue'

interface Asked {
  readonly data: Readonly<Ref<unknown>>
  readonly error: Readonly<Ref<Error | null>>
  refetch(): Promise<unknown>
}

/** Of those that failed and have nothing to show from before: why, and a way to ask again. */
export const useFailedParts = (
  asked: readonly Asked[],
): { fault: ComputedRef<Error | undefined>; again: () => void } => {
  const failed = computed(() => asked.filter(({ data, error }) => error.value !== null && data.value === undefined))
  return {
    fault: computed(() => failed.value[0]?.error.value ?? undefined),
    again: () => {
      for (const one of failed.value) void one.refetch()
    },
  }
}
