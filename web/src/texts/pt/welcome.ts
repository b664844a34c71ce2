import { translation } from '../catalogue'
import type en from '../en/welcome'

export default translation<typeof en>({
  title: 'Bem-vindo',
  headline: 'Formulários que saem, respostas que chegam, tudo num só lugar',
  lead: 'Este servidor recolhe dados no terreno, também sem ligação, e deixa as equipas lê-los, revê-los, vê-los em mapas e gráficos, e partilhá-los.',
  signIn: 'Iniciar sessão',
  register: 'Criar uma conta',
  collect: 'Recolher em qualquer lugar',
  collectAbout:
    'Com o ODK Collect no telefone, ou num navegador. O que se preenche sem rede é enviado depois, uma só vez.',
  read: 'Ler e rever',
  readAbout: 'Cada registo numa tabela que ordena, filtra e procura, com a sua história.',
  see: 'Ver onde',
  seeAbout: 'Lugares num mapa, fotografias numa parede, respostas em gráficos que se contam sozinhos.',
  share: 'Partilhar com cuidado',
  shareAbout: 'Por projeto, com papéis, e sempre a dizer quem pode ver o quê.',
  docs: 'Ler e experimentar a API',
})
