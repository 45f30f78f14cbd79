import { request } from 'node:http';

/** Posts JSON and creates only one promise. Rejects if the response reports an error. */
export function send(url, body, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => void (text += chunk));
      response.once('end', () => {
        if (response.statusCode === 200 && !/"errors?"/.test(text)) resolve(response);
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sent.end(JSON.stringify(body));
  });
}
