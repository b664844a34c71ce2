// The form to sign in, with what it needs: only those whose session ended see it.
import { type App, type Component, defineAsyncComponent, getCurrentInstance } from 'vue'

const withCache = new WeakSet<App>()

export const useSignInForm = (): Component => {
  const { app } = getCurrentInstance()?.appContext ?? {}
  return defineAsyncComponent(async () => {
    const [{ default: form }, { installCache }] = await Promise.all([
      import('@/parts/sign-in-form.vue'),
      import('@/api/cache'),
    ])
    if (app !== undefined && !withCache.has(app)) {
      withCache.add(app)
      installCache(app)
    }
    return form
  })
}
