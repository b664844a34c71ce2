import { ref } from 'vue'

const isListingShortcuts = ref(false)

export const useShellActions = () => ({ isListingShortcuts })
