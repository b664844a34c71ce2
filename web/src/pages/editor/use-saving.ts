// Saving, testing, publishing and downloading, each with its words when it does not go well.
import { computed, nextTick, ref } from 'vue'
import { asApiError, useAction } from '@/api'
import { draftKey } from '@/api/drafts'
import { publishSeen } from '@/api/editor'
import type { Form } from '@/api/forms'
import { formKey } from '@/api/forms'
import { projectKey } from '@/api/projects'
import { problemsIn } from '@/api/publishing'
import { oneByOne } from '@/base/one-by-one'
import { toast } from '@/base/toasts'
import { saveFile } from '@/parts/save-file'
import type { Translate } from '@/texts'
import type en from '@/texts/en/editor'
import type { Editing } from './use-editing'

interface Given {
  readonly editing: Editing
  readonly projectId: () => number
  /** How many mistakes there are in what is about to be saved. */
  readonly mistakes: () => Promise<number>
  readonly t: Translate<(typeof en)['entries']>
  readonly published: (form: Form) => void
}

export const useSaving = ({ editing, projectId, mistakes, t, published }: Given) => {
  const isMerging = ref(false)
  const dialog = ref<'test' | 'publish'>()
  const keys = () => {
    const of = editing.of.value
    return 'form' in of ? [draftKey(of.form), formKey(of.form), projectKey(projectId())] : [projectKey(projectId())]
  }
  /** What has mistakes stays in this browser: the server takes what works on phones. */
  const mayBeSaved = async (): Promise<boolean> => {
    const n = await mistakes()
    if (n > 0) toast(t('mendFirst', { n }), { kind: 'fault' })
    return n === 0
  }
  const run = async (): Promise<boolean> => {
    if (!(await mayBeSaved())) return false
    try {
      const { formId, isIdPutBack } = await editing.save()
      if (isIdPutBack) toast(t('idIs', { id: formId }))
      return true
    } catch (error) {
      if (editing.overtaken.value !== undefined) {
        isMerging.value = true
        return false
      }
      if (['missing', 'forbidden'].includes(asApiError(error).kind)) {
        toast(t('savedNoMore'), { kind: 'fault', action: { label: t('download'), run: () => download.go() } })
        return false
      }
      const [problem] = problemsIn(error)
      throw problem === undefined ? error : Object.assign(asApiError(error), { message: problem.message })
    }
  }
  const inTurn = oneByOne()
  const save = useAction<void, boolean>({
    run: () => inTurn(run),
    after: (isSaved) => {
      if (isSaved) toast(t('saved'), { kind: 'done' })
    },
    refreshes: keys,
  })
  /** What is tested or published is what is on the screen. */
  const open = useAction<'test' | 'publish', boolean>({
    run: (which) =>
      inTurn(async () => {
        const isThere = editing.savedAs.value.revision !== null && !editing.model.isChanged.value
        if (!isThere && !(await run())) return false
        dialog.value = which
        return true
      }),
    refreshes: keys,
  })
  const publish = useAction<void, Form | undefined>({
    run: async () => {
      const of = editing.of.value
      const { revision } = editing.savedAs.value
      if (!('form' in of) || revision === null) return undefined
      const form = await publishSeen(of.form, revision).catch((error: unknown) => {
        editing.tell(error)
        throw error
      })
      // There is no draft any more: nobody asks for it.
      dialog.value = undefined
      await nextTick()
      return form
    },
    refreshes: keys,
    after: (form) => {
      if (form === undefined) return
      editing.savedAs.value = { revision: null, version: form.version }
      void editing.keep()
      published(form)
    },
    showsFaults: true,
  })
  const download = useAction<void>({
    run: async () => {
      const file = await editing.asFile()
      saveFile(file, file.name)
    },
  })
  return {
    isMerging,
    dialog,
    save,
    open,
    publish,
    download,
    isBusy: computed(() => save.isBusy.value || open.isBusy.value),
  }
}
