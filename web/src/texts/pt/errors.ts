import { translation } from '../catalogue'
import type en from '../en/errors'

export default translation<typeof en>({
  offline: 'Não é possível chegar ao servidor. Nada se perde; tente quando a ligação voltar.',
  offlineUnsure:
    'A ligação caiu antes de o servidor responder. Não se sabe se foi feito: verifique antes de tentar de novo.',
  slow: 'O servidor demorou demasiado a responder. Tente daqui a pouco.',
  slowUnsure: 'O servidor não respondeu a tempo. Não se sabe se foi feito: verifique antes de tentar de novo.',
  expired: 'A sua sessão já não está iniciada.',
  forbidden: 'Não pode fazer isto aqui.',
  missing: 'Não existe, ou não é partilhado consigo.',
  invalid: 'Algo do que foi enviado não está certo.',
  conflict: 'Outra pessoa mudou isto entretanto. Carregue de novo para ver o que há agora.',
  'too-large': 'É maior do que o servidor aceita.',
  busy: 'O servidor está ocupado. Tente daqui a pouco.',
  broken: 'Algo falhou no servidor. A culpa não é sua; tente daqui a pouco.',
})
