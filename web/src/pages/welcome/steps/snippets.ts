/** Code samples that create a player. @param origin the service's URL @param key the app's key or a placeholder */
export const snippets = {
  curl: (origin: string, key: string) =>
    `curl -X POST "${origin}/api/v1/apps/players" \\
  -H "x-app-api-key: ${key}" \\
  -H "content-type: application/json" \\
  -d '{"displayName": "mossy_otter"}'`,
  javascript: (origin: string, key: string) =>
    `import { createCairn } from '@cairn/sdk'

const cairn = createCairn({
  baseUrl: '${origin}',
  appKey: '${key}',
})
await cairn.players.create({ displayName: 'mossy_otter' })`,
  // UnityWebRequest.Post with a content type needs Unity 2022.2.
  unity: (origin: string, key: string) =>
    `using System.Collections;
using UnityEngine;
using UnityEngine.Networking;

public class FirstCall : MonoBehaviour
{
    IEnumerator Start()
    {
        using (var request = UnityWebRequest.Post(
            "${origin}/api/v1/apps/players",
            "{\\"displayName\\": \\"mossy_otter\\"}",
            "application/json"))
        {
            request.SetRequestHeader("x-app-api-key", "${key}");
            yield return request.SendWebRequest();
            Debug.Log(request.downloadHandler.text);
        }
    }
}`,
}
