import { translation } from '../catalogue'
import type en from '../en/account-sessions'

export default translation<typeof en>({
  title: 'Onde tem a sessão iniciada',
  about: 'Navegadores que o conhecem. Termine o que não reconhecer e mude então a palavra-passe.',
  this: 'Este navegador',
  browserOn: '{browser} em {system}',
  unknown: 'Navegador desconhecido',
  seen: 'Última utilização',
  since: 'Sessão iniciada: {date}',
  stays: 'mantém a sessão',
  end: 'Terminar',
  endOf: 'Terminar {browser}',
  ended: 'Sessão terminada ali',
  endOthers: 'Terminar todas as outras',
  othersEnded: 'Só resta esta sessão',
})
