import java.util.List;
import java.util.Map;
import org.opensearch.common.settings.Settings;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.transport.Netty4Plugin;

/** One node of OpenSearch. Arguments: its folder, its HTTP port, and the address for HTTP if it is not loopback. */
public class Launch extends Node {
    private Launch(Settings settings) {
        super(InternalSettingsPreparer.prepareEnvironment(settings, Map.of(), null, () -> "test"), List.of(Netty4Plugin.class), true);
    }

    public static void main(String[] arguments) throws Exception {
        Settings settings = Settings.builder()
            .put("path.home", arguments[0])
            .put("http.port", arguments[1])
            .put("transport.port", "0")
            .put("network.host", "127.0.0.1")
            .put("http.host", arguments.length > 2 ? arguments[2] : "127.0.0.1")
            .put("discovery.type", "single-node")
            .put("transport.type", "netty4")
            .put("http.type", "netty4")
            .build();
        Node node = new Launch(settings);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(node)));
        node.start();
        Thread.currentThread().join();
    }

    private static void close(Node node) {
        try {
            node.close();
        } catch (java.io.IOException error) {
            error.printStackTrace();
        }
    }
}
